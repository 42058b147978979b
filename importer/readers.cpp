#include "readers.h"

#include <array>

#include "nastran/op2.h"
#include "nastran/op4.h"

namespace femflex::importer {

std::span<const Reader> readers() {
  static constexpr std::array table{
      Reader{"op4", claims_op4, read_op4},
      Reader{"op2", is_op2, read_op2},
  };
  return table;
}

}  // namespace femflex::importer
