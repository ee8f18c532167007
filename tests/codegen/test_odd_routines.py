"""The routines that every language runs notice what they are there for."""

from __future__ import annotations

from codegen.odd_routines import COARSE, FINE, coarse_then_fine, near_rows


def test_the_rows_near_to_each_other_tell_tolerances_and_units_apart():
    """That the case which all languages run would notice if one were not looked at."""

    def kept(rows, **options):
        return coarse_then_fine(**options).call(rows=rows)

    sames = (COARSE, FINE, 0.0)
    found = [[int(kept(near_rows(s), sames=sames[:k])["count"]) for k in (1, 2, 3)] for s in (FINE, COARSE)]
    assert found == [[1, 7, 14], [7, 14, 14]]
    plain = [int(kept(near_rows(COARSE), units=(1.0,) * 3, sames=sames[:k])["count"]) for k in (1, 2, 3)]
    assert plain != found[1]
    given = near_rows(COARSE)
    straight, turning = (kept(given, sames=(COARSE,), turns=(turns, False, turns)) for turns in (False, True))
    assert straight["kept"].tolist() != turning["kept"].tolist()
