/// One side of a comparison.
struct Contestant {
    let name: String

    /// Makes everything as it was before the run; not timed.
    var prepare: () throws -> Void = {}

    /// The work, down to bytes that are on the device.
    let run: () throws -> Usage

    /// Prepares and runs; the time is that of the whole `run`, with what it does around the program, like `fsync`.
    func measured() throws -> Usage {
        try prepare()
        let start = ContinuousClock.now
        var usage = try run()
        usage.seconds = (ContinuousClock.now - start) / .seconds(1)
        return usage
    }
}
