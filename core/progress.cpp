// Throws Cancelled if the user wants to stop, else reports a step; holds the silent sink.
#include "femflex/progress.h"

#include "femflex/errors.h"

namespace femflex {

void Progress::step(double done) {
  if (stop_requested()) throw Cancelled();
  update(done);
}

Progress& no_progress() {
  static Progress silent;  // has no state, so sharing it is harmless
  return silent;
}

}  // namespace femflex
