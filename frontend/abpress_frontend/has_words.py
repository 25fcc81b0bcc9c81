"""What GCC 12 answers to `__has_builtin`, `__has_attribute` and `__has_c_attribute` in a condition.

A name stands here as GCC answers for it, whatever is supported: the branch that is compiled is the
one that is read, and refused if it needs what is not supported.
"""

from __future__ import annotations

import re

from abpress.errors import Position, UnsupportedError

_VERSIONS = {
    "deprecated": 201904,
    "fallthrough": 201904,
    "maybe_unused": 201904,
    "nodiscard": 202003,
}
"""The attributes of C23, and what the test of a name is then."""

_NAMES = """
access alias aligned alloc_align alloc_size always_inline artificial assume_aligned cdecl cf_check
cleanup cold common const constructor copy deprecated designated_init destructor error
externally_visible fallthrough fastcall flatten force_align_arg_pointer format format_arg
function_return gcc_struct gnu_inline hot ifunc indirect_branch indirect_return interrupt leaf
malloc may_alias mode ms_abi ms_struct naked no_address_safety_analysis no_caller_saved_registers
no_icf no_instrument_function no_profile_instrument_function no_reorder no_sanitize
no_sanitize_address no_sanitize_thread no_sanitize_undefined no_split_stack no_stack_limit
no_stack_protector nocf_check noclone nocommon noinit noinline noipa nonnull nonstring noplt
noreturn nothrow optimize packed patchable_function_entry persistent pure regparm retain
returns_nonnull returns_twice scalar_storage_order section sentinel simd stack_protect stdcall
symver sysv_abi tainted_args target target_clones tls_model transparent_union unavailable
uninitialized unused used vector_size visibility warn_if_not_aligned warn_unused
warn_unused_result warning weak weakref zero_call_used_regs
"""
_ATTRIBUTES = frozenset(_NAMES.split())

_BUILTINS = r"""
    __atomic_(add_fetch|always_lock_free|and_fetch|clear|compare_exchange(_n)?|exchange(_n)?
    |fetch_(add|and|nand|or|sub|xor)|is_lock_free|load(_n)?|nand_fetch|or_fetch|store(_n)?
    |sub_fetch|test_and_set|xor_fetch|(signal|thread)_fence)
    |__sync_((add|and|nand|or|sub|xor)_and_fetch|fetch_and_(add|and|nand|or|sub|xor)
    |(bool|val)_compare_and_swap|lock_release|lock_test_and_set|synchronize)
    |__builtin_(abort|(add|sub|mul)_overflow(_p)?|[su](add|sub|mul)l?l?_overflow|alloca
    |assume_aligned|bswap(16|32|64)|choose_expr|classify_type|clear_padding
    |(clrsb|clz|ctz|ffs|parity|popcount)l?l?|constant_p|convertvector|cpu_supports
    |dynamic_object_size|expect|expect_with_probability|FILE|FUNCTION|LINE|frame_address
    |has_attribute|huge_val|inf|isnan|malloc|mem(cpy|move|set)|nan|object_size|offsetof
    |prefetch|printf|puts|return_address|shuffle|shufflevector|speculation_safe_value|sqrt
    |strlen|trap|types_compatible_p|unreachable|va_(arg_pack|copy|end|start))
    |abort|abs|labs|llabs|mem(chr|cmp|cpy|move|pcpy|set)|str(cat|chr|cmp|cpy|cspn|dup|len|ncat)
    |str(ncmp|ncpy|ndup|pbrk|rchr|spn|str)|[fs]?printf|snprintf|puts|fputs|putchar|malloc|calloc
    |realloc|free|exit|toupper|tolower|isalpha|isdigit|alloca|bcmp|bzero|index|rindex|ffs(ll?)?
    |sqrt|fabs"""
_NO_BUILTINS = r"""
    __builtin_(assume|va_arg|rotate(left|right)(8|16|32|64)|bit_cast|readcyclecounter
    |debugtrap|unpredictable|memcpy_inline|COLUMN|bitreverse(8|16|32|64)|nontemporal_(load|store)
    |addc|subc|launder|clzg|ctzg|popcountg|stdc_\w+)|__sync_fetch_and_u?(max|min)|(?!__builtin_
    |__sync_|__atomic_)\w+"""

WORDS = frozenset({"__has_builtin", "__has_attribute", "__has_c_attribute"})
"""The tests of conditions that ask for names."""


def answer(test: str, words: list[str], at: Position) -> int:
    """What one of WORDS is for a name, given as the words in its brackets (`gnu :: packed`).

    Raises UnsupportedError for a builtin of which GCC's answer is not known here.
    """
    name = words[-1]
    if test == "__has_builtin":
        if re.fullmatch(_BUILTINS, name, re.VERBOSE):
            return 1
        if re.fullmatch(_NO_BUILTINS, name, re.VERBOSE):
            return 0
        raise UnsupportedError(f"__has_builtin({name}): whether GCC has it is not known", at)
    plain = name[2:-2] if name.startswith("__") and name.endswith("__") else name
    scope = "".join(words[:-1]).strip("_:")
    if not scope and plain in _VERSIONS:
        return _VERSIONS[plain]
    known = scope == "gnu" or (not scope and test == "__has_attribute")
    return int(known and plain in _ATTRIBUTES)
