// Functions of glibc 2.34 and later that <spawn.h> declares for C programs with _GNU_SOURCE only.
#ifndef CSPAWN_H
#define CSPAWN_H

#include <spawn.h>

extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

#endif
