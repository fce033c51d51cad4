import CommandLineParsing
import KeyedArchives

/// A moment, given as a day or as a date with a time.
struct MomentArgument: ArgumentValue {
    /// Seconds since 2001.
    let seconds: Double
    let argument: String

    static let expectation = "a day, or " + MetadataValueType.date.expectation

    init?(argument: String) {
        // A day stands for its beginning, midnight UTC.
        for text in [argument, argument + "T00:00:00Z"] {
            guard case .date(let seconds) = MetadataValueType.date.value(text) else { continue }
            (self.seconds, self.argument) = (seconds, argument)
            return
        }
        return nil
    }
}
