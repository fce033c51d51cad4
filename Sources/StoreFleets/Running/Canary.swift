/// Stores of a shard that are tried before the others.
public struct Canary: Sendable, Hashable {
    /// The part of the shard's stores that is tried first, from 0 to 1; at least one store of each version.
    public var share: Double

    /// The part of these that may fail without stopping the rest, from 0 to 1.
    public var tolerance: Double

    /// Makes a trial of a part of the stores, of which no part may fail unless told.
    public init(share: Double, tolerance: Double = 0) {
        (self.share, self.tolerance) = (share, tolerance)
    }

    /// Whether so many failures stop the rest.
    func isExceeded(by failures: Int, of count: Int) -> Bool {
        Double(failures) > tolerance * Double(count)
    }
}
