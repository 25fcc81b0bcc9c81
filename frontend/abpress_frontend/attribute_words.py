"""What becomes of each attribute and each pragma: honoured, harmless, an assumption, or refused.

A word that no table has is refused where it stands.
"""

from __future__ import annotations

import re

_HARMLESS = """
unused used maybe_unused nodiscard deprecated unavailable fallthrough warn_unused_result warning
error diagnose_if designated_init nonstring format format_arg sentinel warn_if_not_aligned
tainted_args counted_by
always_inline noinline noclone noipa flatten artificial gnu_inline hot cold externally_visible
no_reorder no_icf retain unlikely likely no_split_stack stack_protect no_stack_protector
no_profile_instrument_function no_instrument_function no_sanitize no_sanitize_address
no_sanitize_thread no_sanitize_undefined no_address_safety_analysis disable_tail_calls
not_tail_called uninitialized noplt nodebug
nothrow leaf may_alias transparent_union visibility regparm cdecl stdcall fastcall sysv_abi
sseregparm gcc_struct tls_model nocf_check no_caller_saved_registers patchable_function_entry
zero_call_used_regs
annotate btf_decl_tag btf_type_tag preserve_access_index
capability lockable guarded_by pt_guarded_by acquired_after acquired_before requires_capability
acquire_capability release_capability try_acquire_capability assert_capability locks_excluded
exclusive_locks_required shared_locks_required exclusive_lock_function shared_lock_function
unlock_function lock_returned no_thread_safety_analysis scoped_lockable
"""
HARMLESS = frozenset(_HARMLESS.split())
"""Words for diagnostics, inlining, calling conventions and the like: the program does the same."""

_PROMISES = """
const pure malloc alloc_size alloc_align assume_aligned nonnull returns_nonnull returns_twice
access null_terminated_string_arg ownership_returns ownership_takes ownership_holds
"""
PROMISES = frozenset(_PROMISES.split())
"""What is said of a function, and the compiler believes: assumed of functions with a body."""

LITTLE_ENDIAN = "little-endian"

_HARMLESS_SECTION = re.compile(
    r'"(?!\.)[^"]*"|"\.(data|bss|text|tbss|tdata|ref|devinit|devexit)\b[^"]*"'
)
"""Sections whose code and data are as those of others; not what runs by itself, or is read-only."""

_LEVEL = re.compile(
    r'"?-?(O?[0-3sg]|Ofast|Oz|(no-)?(inline|unroll|tree|omit)[-\w]*)"?( , "?-?O?[0-3sg]"?)*'
)
"""Arguments of `optimize` that leave the meaning of defined programs alone."""


def harmless(name: str, arguments: str) -> bool:
    """Whether an attribute may be dropped; `name` has no underscores around it."""
    match name:
        case "section":
            return _HARMLESS_SECTION.fullmatch(arguments) is not None
        case "optimize":
            return _LEVEL.fullmatch(arguments) is not None
        case "scalar_storage_order":
            return arguments == f'"{LITTLE_ENDIAN}"'
    return name in HARMLESS


_HARMLESS_PRAGMAS = re.compile(
    r"""(
    (GCC|clang)\s+(diagnostic|system_header|poison|warning|visibility|unroll|push_options
                  |pop_options|reset_options|assume_nonnull|loop(?!.*assume_safety)|arc_cf_code_audited|module)\b.*
  | GCC\s+optimize\s*\(?\s*("?-?O?[0-3sg]"?)\s*\)?
  | STDC\s+(FENV_ACCESS|FP_CONTRACT|CX_LIMITED_RANGE|FENV_ROUND|FLOAT_CONST_DECIMAL64)\b.*
  | message\b.* | (region|endregion|mark)\b.* | (unroll|nounroll|novector|vector|inline)\b.*
  | merger\s*\(.* | unused\b.*
  | warning\b.* | ident\b.* | scalar_storage_order\s+(little-endian|default)
  | ms_struct\s+(off|reset) | options\s+align\s*=\s*(natural|reset)\s*
    )?""",
    re.VERBOSE,
)


def harmless_pragma(text: str) -> bool:
    """Whether a pragma, its text after `#pragma`, may be dropped."""
    return _HARMLESS_PRAGMAS.fullmatch(text) is not None
