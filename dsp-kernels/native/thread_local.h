/* Thread-local storage by whatever name the compiler has for it. */
#ifndef HMXWB_THREAD_LOCAL_H
#define HMXWB_THREAD_LOCAL_H

#if defined(_MSC_VER) && !defined(__clang__)
#define HMXWB_THREAD_LOCAL __declspec(thread)
#else
#define HMXWB_THREAD_LOCAL _Thread_local
#endif

#endif
