import Glibc

/// The memory of this process.
public enum ProcessMemory {
    /// The most that was ever resident, in bytes.
    public static var peak: Int64 {
        var usage = rusage()
        // RUSAGE_SELF, which Swift imports as another type than the function takes.
        getrusage(0, &usage)
        // Linux counts in KiB.
        return Int64(usage.ru_maxrss) * 1024
    }
}
