/* What the sources under test need of qurt.h, declarations only. */
#pragma once
typedef unsigned qurt_thread_t;
int qurt_pmu_get(int counter);
enum { QURT_PMUCNT0, QURT_PMUCNT1, QURT_PMUCNT2, QURT_PMUCNT3, QURT_PMUCNT4, QURT_PMUCNT5, QURT_PMUCNT6, QURT_PMUCNT7 };
int qurt_futex_wake(void *at, int count);
int qurt_futex_wait(void *at, int value);
