import FoundationEssentials

/// The values of `Date()` and `UUID()` in default values: SwiftData evaluates them when the container is made.
public struct SwiftDataMoment: Sendable {
    /// The time, in seconds since 2001-01-01T00:00:00Z.
    public let date: Double

    /// The 16 bytes of the UUID.
    public let uuid: [UInt8]

    /// Makes a moment from a date, in seconds since 2001-01-01T00:00:00Z, and the 16 bytes of a UUID.
    public init(date: Double, uuid: [UInt8]) {
        self.date = date
        self.uuid = uuid
    }

    /// One moment for the whole run, so that all versions that are read agree.
    public static let current = SwiftDataMoment(
        date: Date().timeIntervalSinceReferenceDate.rounded(),
        uuid: withUnsafeBytes(of: UUID().uuid) { Array($0) })
}
