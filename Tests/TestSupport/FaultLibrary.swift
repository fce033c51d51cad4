import Foundation

/// A library that a tool is started with, in which calls of the system fail as a test wants it.
public final class FaultLibrary: Sendable {
    /// nil if no C compiler is installed.
    public static let shared = try? FaultLibrary()

    private let directory: TemporaryDirectory

    private init() throws {
        directory = try TemporaryDirectory()
        let source = try directory.write(Self.source, to: "faults.c")
        let run = try ToolProcess.run(
            "/usr/bin/env", ["cc", "-shared", "-fPIC", "-O1", "-o", directory.file("faults.so"), source, "-ldl"])
        guard run.status == 0 else { throw CocoaError(.fileReadUnknown) }
    }

    /// The environment in which a folder cannot be synchronized once something has got a name.
    public func folder(_ folder: String, failsToSynchronizeAfterNaming name: String) -> [String: String] {
        ["LD_PRELOAD": directory.file("faults.so"), "FAULT_FSYNC": folder, "FAULT_AFTER": name]
    }

    /// The environment in which the process is killed where it is about to rename something to a path.
    public func killed(beforeRenamingTo path: String) -> [String: String] {
        ["LD_PRELOAD": directory.file("faults.so"), "FAULT_KILL": path]
    }

    /// The environment in which each call that opens, reads, writes, synchronizes or renames something below a folder
    /// fails after so many of them, as if its server were gone.
    public func server(of folder: String, isGoneAfter calls: Int, error: Int32) -> [String: String] {
        [
            "LD_PRELOAD": directory.file("faults.so"), "FAULT_SERVER": folder, "FAULT_CALLS": String(calls),
            "FAULT_ERROR": String(error),
        ]
    }

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdarg.h>
        #include <stdatomic.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        static int isNamed;

        static void named(int result, const char *name) {
            const char *wanted = getenv("FAULT_AFTER");
            if (result == 0 && wanted && strcmp(wanted, name) == 0) isNamed = 1;
        }

        static atomic_int calls;

        static int isGone(const char *path) {
            const char *server = getenv("FAULT_SERVER");
            if (!server || strncmp(path, server, strlen(server)) != 0) return 0;
            if (atomic_fetch_add(&calls, 1) < atoi(getenv("FAULT_CALLS"))) return 0;
            errno = atoi(getenv("FAULT_ERROR"));
            return 1;
        }

        static int isGoneAt(int descriptor) {
            if (!getenv("FAULT_SERVER")) return 0;
            char path[4096], name[64];
            snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
            ssize_t count = readlink(name, path, sizeof path - 1);
            if (count <= 0) return 0;
            path[count] = 0;
            return isGone(path);
        }

        #define OPEN(name) \
            int name(const char *path, int flags, ...) { \
                int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \
                va_list list; \
                va_start(list, flags); \
                mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(list, mode_t) : 0; \
                va_end(list); \
                return isGone(path) ? -1 : next(path, flags, mode); \
            }
        OPEN(open)
        OPEN(open64)

        #define READ(name) \
            ssize_t name(int descriptor, void *bytes, size_t count, off_t offset) { \
                ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, #name); \
                return isGoneAt(descriptor) ? -1 : next(descriptor, bytes, count, offset); \
            }
        READ(pread)
        READ(pread64)

        #define WRITE(name) \
            ssize_t name(int descriptor, const void *bytes, size_t count, off_t offset) { \
                ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, #name); \
                return isGoneAt(descriptor) ? -1 : next(descriptor, bytes, count, offset); \
            }
        WRITE(pwrite)
        WRITE(pwrite64)

        int fdatasync(int descriptor) {
            int (*next)(int) = dlsym(RTLD_NEXT, "fdatasync");
            return isGoneAt(descriptor) ? -1 : next(descriptor);
        }

        int flock(int descriptor, int operation) {
            int (*next)(int, int) = dlsym(RTLD_NEXT, "flock");
            return isGoneAt(descriptor) ? -1 : next(descriptor, operation);
        }

        int rename(const char *from, const char *to) {
            int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
            if (isGone(to)) return -1;
            const char *deadly = getenv("FAULT_KILL");
            if (deadly && strcmp(deadly, to) == 0) kill(getpid(), SIGKILL);
            int result = next(from, to);
            named(result, to);
            return result;
        }

        int renameat2(int old, const char *from, int new, const char *to, unsigned flags) {
            int (*next)(int, const char *, int, const char *, unsigned) = dlsym(RTLD_NEXT, "renameat2");
            int result = next(old, from, new, to, flags);
            named(result, to);
            return result;
        }

        int link(const char *from, const char *to) {
            int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "link");
            int result = next(from, to);
            named(result, to);
            return result;
        }

        int fsync(int descriptor) {
            int (*next)(int) = dlsym(RTLD_NEXT, "fsync");
            if (isGoneAt(descriptor)) return -1;
            const char *folder = getenv("FAULT_FSYNC");
            if (folder && isNamed) {
                char path[4096], name[64];
                snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
                ssize_t count = readlink(name, path, sizeof path - 1);
                if (count > 0) {
                    path[count] = 0;
                    if (strcmp(path, folder) == 0) {
                        errno = EIO;
                        return -1;
                    }
                }
            }
            return next(descriptor);
        }
        """
}
