// The table of all readers, in the order in which they are tried: formats with a signature first,
// plain text last.
#include "readers.h"

#include <array>

#include "abaqus/mtx.h"
#include "ansys/deck.h"
#include "ansys/full.h"
#include "ansys/mapping.h"
#include "ansys/result.h"
#include "ansys/superelement.h"
#include "calculix/frd.h"
#include "calculix/inp.h"
#include "calculix/matrix_files.h"
#include "exchange/harwell_boeing.h"
#include "exchange/matlab.h"
#include "exchange/matrix_market.h"
#include "exchange/med.h"
#include "exchange/node_table.h"
#include "exchange/npy.h"
#include "exchange/npz.h"
#include "exchange/universal.h"
#include "nastran/deck.h"
#include "nastran/f06.h"
#include "nastran/msc_hdf5.h"
#include "nastran/op2.h"
#include "nastran/op4.h"
#include "nastran/punch.h"

namespace femflex::importer {

std::span<const Reader> readers() {
  static constexpr std::array table{
      Reader{"op4", is_op4, read_op4},
      Reader{"op2", is_op2, read_op2},
      Reader{"ansys-full", is_ansys_full, read_ansys_full},
      Reader{"ansys-result", is_ansys_result, read_ansys_result},
      Reader{"ansys-sub", is_ansys_superelement, read_ansys_superelement},
      Reader{"npy", is_npy, read_npy},
      Reader{"npz", is_npz, read_npz},
      Reader{"matlab", is_matlab, read_matlab},
      Reader{"matrix-market", is_matrix_market, read_matrix_market},
      Reader{"msc-h5", is_msc_hdf5, read_msc_hdf5},
      Reader{"med", is_med, read_med},
      Reader{"punch", is_punch, read_punch},
      Reader{"f06", is_f06, read_f06},
      Reader{"frd", is_frd, read_frd},
      Reader{"ansys-mapping", is_ansys_mapping, read_ansys_mapping},
      Reader{"ansys-deck", is_ansys_deck, read_ansys_deck},
      Reader{"universal", is_universal, read_universal},
      Reader{"harwell-boeing", is_harwell_boeing, read_harwell_boeing},
      Reader{"user-element", is_user_element, read_user_element},
      Reader{"inp", is_inp, read_inp},
      Reader{"coordinate-matrix", is_calculix_matrix, read_calculix_matrix},
      Reader{"calculix-dof", is_calculix_dof, read_calculix_dof},
      Reader{"abaqus-labels", is_abaqus_labels, read_abaqus_labels},
      Reader{"node-table", is_node_table, read_node_table},
      // last, because one line that begins with a card name is enough for a deck
      Reader{"bulk", is_bulk, read_bulk},
  };
  return table;
}

}  // namespace femflex::importer
