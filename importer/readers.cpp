#include "readers.h"

#include <array>

#include "nastran/deck.h"
#include "nastran/op4.h"
#include "nastran/punch.h"

namespace femflex::importer {

std::span<const Reader> readers() {
  static constexpr std::array table{
      Reader{"op4", claims_op4, read_op4},
      Reader{"punch", claims_punch, read_punch},
      // text of no other kind; stands last
      Reader{"bulk", claims_bulk, read_bulk},
  };
  return table;
}

}  // namespace femflex::importer
