import numpy as np
import pytest

from tgraph_attn.parse._code.grammars import get_language
from tgraph_attn.parse._code.kind_tables import (
    ALWAYS,
    IF_ALONE,
    IF_FIELD,
    IF_NEW,
    NAMED,
    NEVER,
    is_comment,
    is_number,
    is_textless,
    kind_tables,
    token_role,
)


@pytest.mark.parametrize(
    ("tokens", "role"),
    [
        ('( ) [ ] { } , ; : . \' " ` """ L\' ${ #{ f"', NEVER),
        ("if def return enum =", IF_ALONE),
        ("class namespace struct type", IF_NEW),
        ("in let typeof < > | -> => @ ::", IF_FIELD),
        ("+ - ** <<= && ! ~ ? ... ..= := () [] not static async unsafe #ifndef", ALWAYS),
    ],
)
def test_tokens_are_told_apart_by_what_they_say(tokens, role):
    assert {token: token_role(token) for token in tokens.split()} == dict.fromkeys(
        tokens.split(), role
    )
    assert token_role("not in") == ALWAYS and token_role("\n") == token_role("") == NEVER


def test_kinds_with_free_text_are_recognised_by_their_words():
    free = (
        "string string_content string_fragment multiline_string_fragment string_start string_end "
        "escape_sequence char_literal character character_literal rune_literal raw_string_literal "
        "comment line_comment block_comment doc_comment regex_pattern jsx_text system_lib_string"
    ).split()
    other = "identifier string_identifier string_type integer true template_type call".split()
    assert [kind for kind in free if not is_textless(kind)] == []
    assert [kind for kind in other if is_textless(kind)] == []


def test_comments_are_recognised_by_their_end():
    kinds = "comment line_comment line_continuation comments commented".split()
    assert [is_comment(kind) for kind in kinds] == [True, True, True, False, False]


def test_kinds_of_numbers_are_recognised_by_their_words():
    numbers = (
        "integer float number int number_literal int_literal float_literal imaginary_literal "
        "integer_literal decimal_integer_literal hex_integer_literal octal_integer_literal "
        "binary_integer_literal decimal_floating_point_literal hex_floating_point_literal "
        "real_literal long_literal integer_value float_scalar"
    ).split()
    other = (
        "integral_type floating_point_type complex_pattern binary binary_expression literal_value "
        "literal null_literal character_literal class_literal string_literal negative_literal "
        "interpolation number_type int_pattern double identifier value"
    ).split()
    assert [kind for kind in numbers if not is_number(kind)] == []
    assert [kind for kind in other if is_number(kind)] == []


def test_tables_know_each_kind_of_a_grammar_and_errors():
    language = get_language("python")
    tables = kind_tables(language)
    number = language.id_for_node_kind("binary_operator", True)
    plus = language.id_for_node_kind("+", False)
    assert tables.name[tables.row[[number, plus, 65_535]]].tolist() == [
        "binary_operator",
        "+",
        "ERROR",
    ]
    assert [tables.role[n] for n in (number, plus, 65_535)] == [NAMED, ALWAYS, NAMED]
    assert np.flatnonzero(tables.comment).size == 2
    assert tables.textless[language.id_for_node_kind("string_content", True)]
    numbers = np.flatnonzero(tables.number)
    assert set(tables.name[tables.row[numbers]]) == {"integer", "float"}
    assert kind_tables(language) is tables
