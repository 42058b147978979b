"""numpy in, numpy out: models, bodies and files as arrays."""

import gc

import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg

import femflex as ff


def test_matrices_of_a_model_are_symmetric_csc_with_the_chain_s_eigenvalues(dms, eigenvalues):
    # truth: closed form of two equal masses on two springs
    assert scipy.sparse.isspmatrix_csc(dms.stiffness)
    assert abs(dms.stiffness - dms.stiffness.T).max() == 0.0
    moving = dms.mass.diagonal() > 0
    held = np.array(dms.stiffness.diagonal() > 0) & moving
    k = dms.stiffness[held][:, held].toarray()
    m = dms.mass[held][:, held].toarray()
    found = np.linalg.eigvals(np.linalg.solve(m, k))
    assert np.sort(found) == pytest.approx(eigenvalues, rel=1e-9)


def test_a_complex_matrix_is_refused_with_where_its_imaginary_part_goes():
    # truth: numpy would drop the imaginary part, which is the structural damping
    k = (1.0 + 0.02j) * np.array([[2.0, -1.0], [-1.0, 1.0]])
    given = {"node_ids": [1, 2], "positions": [[0, 0, 0], [1, 0, 0]]}
    rows = {"dof_nodes": [1, 2], "dof_components": [1, 1]}
    for stiffness in (k, scipy.sparse.csc_matrix(k)):
        with pytest.raises(ff.ModelError, match="stiffness: the matrix is complex"):
            ff.FeModel(**given, **rows, stiffness=stiffness, mass=np.eye(2))
    integers = ff.FeModel(**given, **rows, stiffness=[[2, -1], [-1, 1]], mass=np.eye(2, dtype=int))
    assert integers.stiffness.toarray().tolist() == [[2.0, -1.0], [-1.0, 1.0]]


def test_arrays_are_views_that_cannot_be_written_and_outlive_their_model(dms_folder):
    # truth: the same numbers from a second reading
    model = ff.import_(dms_folder / "dms.bdf", dms_folder / "dms.ou1.op4", units="m-kg-s").model
    positions, stiffness = model.positions, model.stiffness
    assert not positions.flags.owndata and not positions.flags.writeable
    again = model.stiffness
    assert np.shares_memory(stiffness.data, again.data)
    with pytest.raises(ValueError):
        positions[0, 0] = 1.0
    expected = positions.copy()
    del model
    gc.collect()
    assert np.array_equal(positions, expected)
    assert stiffness.nnz == again.nnz


def test_a_model_made_of_arrays_comes_back_from_its_file(tmp_path):
    # truth: what went in; a chain of three nodes in the x direction
    k = scipy.sparse.diags([[2.0, 2.0, 1.0], [-1.0, -1.0], [-1.0, -1.0]], [0, 1, -1])
    model = ff.FeModel(
        node_ids=[1, 2, 5],
        positions=[[0, 0, 0], [1, 0, 0], [2, 0, 0]],
        dof_nodes=[1, 2, 5],
        dof_components=[1, 1, 1],
        stiffness=k,
        mass=np.eye(3),
        units="mm-t-s",
        interface_nodes=[5],
        name="chain",
    )
    model.write(tmp_path / "chain.fe.h5")
    back = ff.read_model(tmp_path / "chain.fe.h5")
    assert back.units == "mm-t-s" and back.name == "chain"
    assert back.node_ids.tolist() == [1, 2, 5]
    assert back.interface_nodes.tolist() == [5]
    assert abs(back.stiffness - k).max() == 0.0
    # second algorithm: numpy's dense eigenvalues
    modes = ff.modes(back, normal=3).model.modes
    assert modes.eigenvalues == pytest.approx(np.linalg.eigvalsh(k.toarray()), rel=1e-9)
    assert modes.labels == ["dynamic:1", "dynamic:2", "dynamic:3"]
    residual = k @ modes.shapes - modes.shapes * modes.eigenvalues
    assert abs(residual).max() < 1e-9


def test_elements_of_one_type_with_several_numbers_of_nodes_are_all_there(tmp_path):
    # truth: the deck; a brick of 8 nodes and one of 20, both CHEXA
    grids = "".join(f"GRID,{k},,{k}.,{k * k}.,0.\n" for k in range(1, 21))
    eight = "CHEXA,1,1,1,2,3,4,5,6,\n,7,8\n"
    twenty = ("CHEXA,2,1,1,2,3,4,5,6,\n,7,8,9,10,11,12,13,14,\n,15,16,17,18,19,20\n")
    (tmp_path / "one.bdf").write_text("BEGIN BULK\n" + grids + eight + "ENDDATA\n")
    (tmp_path / "both.bdf").write_text("BEGIN BULK\n" + grids + eight + twenty + "ENDDATA\n")
    one = ff.read_model(tmp_path / "one.bdf", units="m-kg-s").elements
    assert {name: nodes.shape for name, nodes in one.items()} == {"CHEXA": (1, 8)}
    both = ff.read_model(tmp_path / "both.bdf", units="m-kg-s").elements
    assert both["CHEXA-8"].tolist() == [list(range(1, 9))]
    assert both["CHEXA-20"].tolist() == [list(range(1, 21))]


def test_a_body_keeps_the_reduction_identities(dms, eigenvalues):
    # truth: m = U' M U, k = U' K U on the model's DOFs; unit modal mass after scaling
    body = ff.reduce(dms, select="dynamic:1-2", orthogonalise=True, scale=True).body
    assert body.mass == pytest.approx(np.eye(2), abs=1e-12)
    assert np.diag(body.stiffness) == pytest.approx(eigenvalues, rel=1e-5)
    rows = [6 * list(body.node_ids).index(n) + c - 1
            for n, c in zip(dms.dof_nodes, dms.dof_components)]
    phi = body.shapes[rows]
    assert phi.T @ (dms.mass @ phi) == pytest.approx(body.mass, abs=1e-9)
    assert np.array_equal(body.shapes_at(3), body.shapes[12:18])
    back = body.back
    assert back["U"] @ back["V"] @ np.diag(back["alpha"]) == pytest.approx(body.shapes, abs=1e-12)


def test_a_body_made_of_arrays_has_the_invariants_of_its_masses(tmp_path):
    # truth: sums over two point masses
    shapes = np.zeros((12, 1))
    shapes[2], shapes[8] = 1.0, -1.0
    lumped = np.array([[2.0, 2, 2, 0, 0, 0], [3.0, 3, 3, 0, 0, 0]])
    body = ff.FlexBody(
        node_ids=[1, 2], positions=[[0, 0, 0], [1, 0, 0]], shapes=shapes,
        mass=[[5.0]], stiffness=[[80.0]], lumped_mass=lumped, damping_rule="0.05", name="two",
    )
    assert body.total_mass == 5.0
    assert body.centre_of_mass == pytest.approx([0.6, 0, 0])
    assert body.invariants["translation"][2, 0] == pytest.approx(2.0 - 3.0)
    assert body.frequencies_hz == pytest.approx([4.0 / (2 * np.pi)])
    assert body.damping == pytest.approx(np.array([[2 * 0.05 * np.sqrt(80.0 * 5.0)]]))
    body.write(tmp_path / "two.fbm")
    assert np.array_equal(ff.read_body(tmp_path / "two.fbm").shapes, body.shapes)
    assert body.with_damping("0.1").damping_ratio == pytest.approx([0.1])
    assert body.with_damping(0.1).damping_ratio == pytest.approx([0.1])


def body_of(**other):
    """Two nodes and as many modes as the mass has rows."""
    arrays = {"mass": np.eye(2), "stiffness": np.diag([4.0, 9.0])} | other
    modes = len(arrays["mass"])
    return ff.FlexBody(node_ids=[1, 2], positions=np.zeros((2, 3)), shapes=np.ones((12, modes)),
                       lumped_mass=np.ones((2, 6)), **arrays)


def test_a_body_of_arrays_that_do_not_fit_is_refused():
    # truth: the sizes; m of rank 0 has no frequencies
    for rule in ("true:0.02", "0.02", "adams", ""):
        with pytest.raises(ff.ModelError, match="stiffness"):
            body_of(mass=np.eye(3), damping_rule=rule)
    for mass in (0.0, -1.0):
        with pytest.raises(ff.UsageError, match="positive"):
            body_of(mass=np.diag([1.0, mass]))


def test_a_rule_of_damping_is_not_dropped():
    # truth: 2 beta sqrt(k m) of each mode, and what each argument says
    assert body_of(damping_rule="true:0.02").damping == pytest.approx(np.diag([0.08, 0.12]))
    assert np.isnan(body_of(damping_rule="none").damping_ratio).all()
    with pytest.raises(ff.UsageError, match="both"):
        body_of(damping=np.eye(2), damping_rule="0.02")
    with pytest.raises(ff.UsageError, match="file"):
        body_of(damping_rule="file")


@pytest.mark.parametrize("first", ["0.02", "true:0.02", "1:0.1"])
def test_a_body_damped_by_none_is_not_damped(first):
    # truth: no damping, whatever the body had before
    bare = body_of(damping_rule=first).with_damping("none")
    assert np.isnan(bare.damping_ratio).all()
    assert not bare.damping.any()


def test_matrices_of_an_op4_file_go_out_and_come_back(tmp_path):
    # truth: what went in, real and complex
    real = scipy.sparse.random(7, 5, 0.4, "csc", random_state=1)
    both = {"A": real, "Z": np.array([[1 + 2j, 0], [0, 3j]])}
    ff.write_op4(tmp_path / "m.op4", both)
    back = ff.read_matrices(tmp_path / "m.op4")
    assert abs(back["A"] - real).max() == 0.0
    assert np.array_equal(scipy.sparse.csc_matrix(back["Z"]).toarray(), both["Z"])


def test_shapes_of_a_result_file_are_arrays(dms_folder, eigenvalues):
    # truth: the chain's eigenvalues; the file holds single precision
    (table,) = [t for t in ff.read_contents(dms_folder / "dms.op2").modes if len(t["eigenvalues"])]
    assert table["eigenvalues"][:2] == pytest.approx(eigenvalues, rel=1e-5)
    assert table["components"] == 6
    assert table["shapes"].shape == (6 * len(table["points"]), len(table["eigenvalues"]))


def test_mac_of_shapes_with_themselves_is_one():
    # truth: the definition
    a = np.array([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    assert ff.mac(a, 3 * a) == pytest.approx(np.eye(2), abs=1e-15)
