/* A slow disk: loaded before the C library (LD_PRELOAD), it delays every write that must reach the disk by the
   milliseconds in the file that KIBITZ_SLOW_DISK names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_for_disk(void) {
    const char* name = getenv("KIBITZ_SLOW_DISK");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    char text[16] = {0};
    if (file < 0) return;
    if (read(file, text, sizeof text - 1) > 0) usleep(1000u * (unsigned)atoi(text));
    close(file);
}

int fsync(int file) {
    wait_for_disk();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
    wait_for_disk();
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
