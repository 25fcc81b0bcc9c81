"""What a worker did when: times add up, whatever the slots are."""

from __future__ import annotations

from random import Random

import pytest

from abpress.parallel.load import Diary, Doing


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("longest", [0.001, 0.03, 5.0, 900.0])
def test_times_add_up(longest: float) -> None:
    clock, chance = Clock(), Random(1)
    diary = Diary(clock)
    spent = dict.fromkeys(Doing, 0.0)

    def passes(doing: Doing) -> None:
        time = chance.random() * longest
        clock.now += time
        spent[doing] += time

    for _ in range(300):
        passes(Doing.EXPLORING)
        doing = chance.choice([d for d in Doing if d is not Doing.WAITING])
        with diary.while_doing(doing):
            passes(doing)
            with diary.while_doing(Doing.WAITING):
                passes(Doing.WAITING)
            passes(doing)
    load = diary.load(7, 8, 2, (3, 4))
    for doing in Doing:
        assert load.seconds(doing) == pytest.approx(spent[doing])
    assert len(load.slots) <= 200
    total = clock.now - 1000.0
    assert total <= len(load.slots) * load.slot <= total + load.slot + 1e-9
    for slot in load.slots[:-1]:
        assert sum(slot) == pytest.approx(load.slot)
    data = load.to_json(1, load.begun - 0.5)
    assert data["begins_s"] == 0.5
    assert (data["executions"], data["events"], data["messages_received"]) == (7, 8, 4)
    for name, slots in data["slots"].items():
        assert sum(slots) == pytest.approx(data["seconds"][name], abs=0.02)


def test_an_error_ends_what_was_done() -> None:
    clock = Clock()
    diary = Diary(clock)
    with pytest.raises(KeyError), diary.while_doing(Doing.REPLAYING):
        clock.now += 1
        raise KeyError
    clock.now += 2
    load = diary.load(0, 0, 0)
    assert load.seconds(Doing.REPLAYING) == pytest.approx(1)
    assert load.seconds(Doing.EXPLORING) == pytest.approx(2)
