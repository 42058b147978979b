#include "readers.h"

#include "nastran/op2.h"

namespace femflex::importer {
namespace {

constexpr Reader table[] = {
    {"op2", is_op2, read_op2},
};

}  // namespace

std::span<const Reader> readers() {
  return table;
}

}  // namespace femflex::importer
