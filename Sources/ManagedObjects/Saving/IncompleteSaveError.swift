/// A save to several stores that succeeded in some of them only, since each has its own transaction.
///
/// The objects in the successful stores are saved and announced; those in the others still have their changes, so that
/// the save can be repeated.
public struct IncompleteSaveError: Error, CustomStringConvertible {
    /// Cocoa's error number (docs/format/errors.md).
    public static let number = 134040

    /// The paths of the stores that committed the save.
    public let savedStores: [String]

    /// The path of the store that could not commit, and those of the stores that came after it.
    public let failedStores: [String]

    /// The error of the first failed store.
    public let reason: any Error

    public var description: String {
        "\(savedStores.joined(separator: ", ")) saved, \(failedStores.joined(separator: ", ")) not saved "
            + "(error \(Self.number)): \(reason); save again"
    }
}
