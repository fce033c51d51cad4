import Glibc

/// What a run took.
struct Usage: Sendable {
    /// By the clock on the wall.
    var seconds: Double

    /// On processors, of the program and on its behalf.
    var processorSeconds: Double

    /// The most that was resident, in bytes.
    ///
    /// Linux hands the peak of the process that started a program on to it: what is below this process's own peak,
    /// about 22 MiB, is not seen. Data are generated in children to keep that low.
    var peakMemory: Int64

    init(seconds: Double, _ resources: rusage) {
        func duration(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        self.seconds = seconds
        processorSeconds = duration(resources.ru_utime) + duration(resources.ru_stime)
        // Linux counts in KiB.
        peakMemory = Int64(resources.ru_maxrss) * 1024
    }

    /// That of no program.
    static var none: Usage { Usage(seconds: 0, rusage()) }

    /// Adds what a program took that ran after or beside the others.
    static func += (usage: inout Usage, other: Usage) {
        usage.seconds += other.seconds
        usage.processorSeconds += other.processorSeconds
        usage.peakMemory = max(usage.peakMemory, other.peakMemory)
    }
}
