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

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>

        static int isNamed;

        static void named(int result, const char *name) {
            const char *wanted = getenv("FAULT_AFTER");
            if (result == 0 && wanted && strcmp(wanted, name) == 0) isNamed = 1;
        }

        int rename(const char *from, const char *to) {
            int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
            const char *deadly = getenv("FAULT_KILL");
            if (deadly && strcmp(deadly, to) == 0) kill(getpid(), SIGKILL);
            int result = next(from, to);
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
