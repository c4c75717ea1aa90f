// What the interpreter keeps of a search thread. It would make that anew for every call from a
// thread of ours and drop it afterwards, memory for its frames included, which costs more than the
// call itself; so it is kept until the thread leaves its search.
#pragma once

#include <Python.h>

#include <utility>

namespace kibitz::bind {

inline thread_local PyThreadState* kept_thread = nullptr;

/// Before a thread takes the interpreter's lock; does nothing on threads that Python knows.
inline void enter_interpreter() {
  if (PyGILState_GetThisThreadState()) return;
  PyGILState_Ensure();
  kept_thread = PyEval_SaveThread();
}

/// Before a thread's search counts as ended: later on the interpreter may be gone.
inline void leave_interpreter() {
  if (!kept_thread) return;
  PyEval_RestoreThread(std::exchange(kept_thread, nullptr));
  PyGILState_Release(PyGILState_UNLOCKED);
}

}  // namespace kibitz::bind
