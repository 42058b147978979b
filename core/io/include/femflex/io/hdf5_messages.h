#pragma once

namespace femflex::io {

/// Keeps HDF5 from printing in this process for good: for programs whose users get our messages
/// alone. Hosts of the libraries keep the error handler that they set.
void silence_hdf5();

}  // namespace femflex::io
