/// A clock for rates and reports.
public enum Clock {
    private static let origin = ContinuousClock.now

    /// The seconds since the first call.
    public static var seconds: Double {
        // Before the other time is taken: the first call also sets it, and must not be earlier.
        let origin = Self.origin
        let elapsed = ContinuousClock.now - origin
        return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    }
}
