// Switches off the error messages that the HDF5 library prints by itself.
#pragma once

namespace femflex::io {

/// Stops HDF5 from printing in the calling thread for good, or in the whole process if HDF5 is not
/// thread-safe. Meant for programs whose users should see only the messages of femflex. Programs
/// that use the libraries keep their own error handler.
void silence_hdf5();

}  // namespace femflex::io
