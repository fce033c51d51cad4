import FoundationEssentials
import Glibc

/// The memory of this process.
public enum ProcessMemory {
    /// The peak resident memory, in bytes.
    public static var peak: Int64 {
        var usage = rusage()
        // RUSAGE_SELF, which Swift imports as another type than the function takes.
        getrusage(0, &usage)
        // Linux counts in KiB.
        return Int64(usage.ru_maxrss) * 1024
    }

    /// The current resident memory, in bytes; the peak if the system does not report it.
    public static var current: Int64 {
        // The second of the numbers, which count pages (proc(5)).
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int64($0) })
        else { return peak }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
