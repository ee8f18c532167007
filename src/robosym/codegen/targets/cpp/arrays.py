"""Arrays of any type: the adapters at the head of a generated header, and how an entry is written."""

from __future__ import annotations

from ...interface import Argument

VECTOR = """\
/* Entry i of a vector: a(i) where its type has that, as those of Eigen have, else a[i]. */
template <typename Array>
decltype(auto) entry(Array &a, std::size_t i)
{
    if constexpr (std::is_invocable_v<Array &, std::ptrdiff_t>) {
        return a(static_cast<std::ptrdiff_t>(i));
    } else {
        return a[i];
    }
}"""

MATRIX = """\
/* Whether a[i] is an array itself. */
template <typename Row, typename = void>
struct is_nested : std::disjunction<std::is_array<Row>, std::is_pointer<Row>> {};
template <typename Row>
struct is_nested<Row, std::void_t<decltype(std::declval<Row &>().begin())>> : std::true_type {};

/* Entry (i, j) of a matrix: a(i, j) where its type has that, else a[i][j], else by rows a[columns*i + j]. */
template <std::size_t columns, typename Array>
decltype(auto) entry(Array &a, std::size_t i, std::size_t j)
{
    if constexpr (std::is_invocable_v<Array &, std::ptrdiff_t, std::ptrdiff_t>) {
        return a(static_cast<std::ptrdiff_t>(i), static_cast<std::ptrdiff_t>(j));
    } else if constexpr (is_nested<std::remove_reference_t<decltype(a[i])>>::value) {
        return a[i][j];
    } else {
        return a[columns * i + j];
    }
}"""


def entry(name: str, shape: tuple[int, ...], index: int) -> str:
    """An entry by its place in the order of rows."""
    if not shape:
        return name
    if len(shape) == 2:
        columns = shape[1]
        return f"detail::entry<{columns}>({name}, {index // columns}, {index % columns})"
    return f"detail::entry({name}, {index})"


def argument_entry(argument: Argument, index: int) -> str:
    return entry(argument.name, argument.array.shape, index)


def adapters(shapes: list[tuple[int, ...]]) -> list[str]:
    """Those that arrays of these shapes need."""
    ranks = {len(shape) for shape in shapes}
    return ([VECTOR] if ranks - {0, 2} else []) + ([MATRIX] if 2 in ranks else [])
