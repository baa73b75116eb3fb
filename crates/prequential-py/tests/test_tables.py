"""One table from every library gives the same result bytes as its CSV."""

import datetime
import decimal

import pytest
from conftest import content, mixed_columns

import prequential

SETTINGS = {"estimator": "linear", "max_parents": 1, "seed": 7}


@pytest.fixture(scope="session")
def expected(csv):
    return content(prequential.learn(csv, **SETTINGS))


def same(table, expected):
    assert content(prequential.learn(table, **SETTINGS)) == expected


def date(text):
    return None if text is None else datetime.date.fromisoformat(text)


def columns_with_dates():
    return {**mixed_columns(), "day": [date(day) for day in mixed_columns()["day"]]}


def test_a_mapping_of_lists(expected):
    same(mixed_columns(), expected)
    same(columns_with_dates(), expected)


def test_pandas_by_arrow_and_without(expected, monkeypatch):
    pandas = pytest.importorskip("pandas")
    from prequential import _tables

    plain = mixed_columns()
    frame = pandas.DataFrame(
        {
            "dose": pandas.Series(plain["dose"], dtype="float64"),
            "visits": pandas.Series(plain["visits"], dtype="Int64"),
            "weight": pandas.Series(plain["weight"], dtype="Int32"),
            "cured": pandas.Series(plain["cured"], dtype="boolean"),
            "arm": pandas.Categorical(plain["arm"]),
            "day": pandas.to_datetime(pandas.Series(plain["day"])),
        }
    )
    frame.index = [3 * row for row in range(len(frame))]
    same(frame, expected)
    same(frame.astype({"visits": "float64", "arm": "str", "dose": "Float64"}), expected)
    same(frame.astype(object), expected)
    monkeypatch.setattr(_tables, "has_arrow", lambda data: False)
    same(frame, expected)
    same(frame.astype({"visits": "float64", "arm": "str", "dose": "Float64"}), expected)
    same(frame.assign(day=frame["day"].dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")), expected)


def test_polars(expected):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(columns_with_dates())
    same(frame, expected)
    same(frame.with_columns(polars.col("arm").cast(polars.Categorical), polars.col("weight").cast(polars.UInt16)), expected)
    same(frame.lazy(), expected)


def test_pyarrow_and_its_files(expected, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.feather
    import pyarrow.parquet

    table = pyarrow.table(columns_with_dates())
    same(table, expected)
    same(table.set_column(4, "arm", table["arm"].dictionary_encode()), expected)
    same(table.to_batches(max_chunksize=17)[0].schema and pyarrow.Table.from_batches(table.to_batches(max_chunksize=17)), expected)
    pyarrow.parquet.write_table(table, tmp_path / "t.parquet")
    pyarrow.feather.write_feather(table, str(tmp_path / "t.arrow"))
    same(tmp_path / "t.parquet", expected)
    same(str(tmp_path / "t.arrow"), expected)


def test_duckdb(expected, csv):
    duckdb = pytest.importorskip("duckdb")
    same(duckdb.sql(f"select * from read_csv('{csv}')"), expected)


def test_numpy_with_names_of_one_type_and_of_several():
    numpy = pytest.importorskip("numpy")
    rows = numpy.random.default_rng(1).normal(size=(200, 3))
    rows[:, 1] += rows[:, 0]
    rows[5, 2] = numpy.nan
    by_name = {"a": rows[:, 0].tolist(), "b": rows[:, 1].tolist(), "c": rows[:, 2].tolist()}
    expected = content(prequential.learn(by_name, **SETTINGS))
    assert content(prequential.learn(rows, names=["a", "b", "c"], **SETTINGS)) == expected
    assert content(prequential.learn(numpy.asfortranarray(rows), names=["a", "b", "c"], **SETTINGS)) == expected
    assert content(prequential.learn(dict(zip("abc", rows.T, strict=True)), **SETTINGS)) == expected
    structured = numpy.array([tuple(row) for row in rows], dtype=[("a", "f8"), ("b", "f8"), ("c", "f8")])
    assert content(prequential.learn(structured, **SETTINGS)) == expected


def test_single_precision_is_the_decimal_that_it_is_written_as():
    numpy = pytest.importorskip("numpy")
    singles = (numpy.arange(60, dtype="float32") / 10).astype("float32")
    decimals = [decimal.Decimal(str(single)) for single in singles]
    other = [(7 * row) % 5 for row in range(60)]
    one = prequential.learn({"x": singles, "y": other}, **SETTINGS)
    assert content(one) == content(prequential.learn({"x": decimals, "y": other}, **SETTINGS))
    assert content(one) == content(prequential.learn({"x": [float(text) for text in decimals], "y": other}, **SETTINGS))


def test_categories_are_labels_whatever_their_levels():
    pandas = pytest.importorskip("pandas")
    codes = [(row * 7) % 30 for row in range(600)]
    table = pandas.DataFrame({"site": pandas.Categorical(codes), "x": [row % 2 for row in range(600)]})
    kinds = [variable["kind"] for variable in prequential.learn(table).to_dict()["data"]["variables"]]
    assert kinds == ["categorical", "categorical"]
    kinds = prequential.learn(table, numbers="site", estimator="linear").to_dict()["data"]["variables"]
    assert kinds[0]["kind"] == "continuous"


def test_ordered_labels_are_numbers_in_the_order_that_is_said_or_known():
    pain = ["none", "mild", "severe"]
    table = {"pain": [pain[row % 3] for row in range(90)], "x": [(7 * row) % 31 for row in range(90)]}
    known = prequential.learn(table, ordered="pain", **SETTINGS).to_dict()["data"]
    assert known["notes"] == ["column `pain`: read as numbers, `none` = 1, `mild` = 2, `severe` = 3"]
    said = prequential.learn(table, ordered={"pain": ["severe", "mild", "none"]}, **SETTINGS).to_dict()["data"]
    assert said["notes"] == ["column `pain`: read as numbers, `severe` = 1, `mild` = 2, `none` = 3"]


def test_a_mask_of_interventions_from_memory_and_from_a_file(tmp_path, asia):
    table = {name: list(asia.table[name]) for name in ("smoke", "lung", "bronc")}
    mask = {"lung": [row % 4 == 0 for row in range(1000)]}
    path = tmp_path / "mask.csv"
    path.write_text("lung\n" + "".join(f"{int(cell)}\n" for cell in mask["lung"]))
    one = prequential.learn(table, intervention_mask=mask)
    assert content(one) == content(prequential.learn(table, intervention_mask=path))
    assert [variable["intervened"] for variable in one.to_dict()["data"]["variables"]] == [0, 250, 0]


@pytest.mark.parametrize("data", [7, [1, 2, 3], object()])
def test_what_is_no_table_is_refused_with_the_way_out(data):
    with pytest.raises(TypeError, match="expected a table, found"):
        prequential.learn(data)


def test_an_array_needs_names():
    numpy = pytest.importorskip("numpy")
    with pytest.raises(TypeError, match="names="):
        prequential.learn(numpy.zeros((5, 2)))
    with pytest.raises(ValueError, match="expected a name for each of 2 columns, found 1"):
        prequential.learn(numpy.zeros((5, 2)), names=["a"])
