/// A trial with some stores of a shard before the others.
public struct Canary: Sendable, Hashable {
    /// The fraction of the shard's stores that is tried first, from 0 to 1; at least one store of each version.
    public var share: Double

    /// The fraction of these that may fail without stopping the rest, from 0 to 1.
    public var tolerance: Double

    /// Makes a trial with a fraction of the stores; by default no failures are tolerated.
    public init(share: Double, tolerance: Double = 0) {
        (self.share, self.tolerance) = (share, tolerance)
    }

    /// Returns whether a number of failures stops the rest.
    func isExceeded(by failures: Int, of count: Int) -> Bool {
        Double(failures) > tolerance * Double(count)
    }
}
