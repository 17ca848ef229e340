/* Saves and restores the 32 vector registers; r0 = 4096 bytes, 128-byte aligned.
 * Kept out of C so that the signal handler itself never touches a vector register. */
        .text
        .globl vectors_save
        .p2align 4
vectors_save:
        .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        { vmem(r0++#1) = v\n }
        .endr
        { jumpr r31 }

        .globl vectors_load
        .p2align 4
vectors_load:
        .irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        { v\n = vmem(r0++#1) }
        .endr
        { jumpr r31 }
