/// A save to several stores that some of them have taken and others have not: each is a transaction of its own.
///
/// The objects of the stores that were saved are saved, and announced; those of the others still have their changes, so
/// that another save can be tried.
public struct IncompleteSaveError: Error, CustomStringConvertible {
    /// Cocoa's error number (docs/format/errors.md).
    public static let number = 134040

    /// The paths of the stores that have what was saved.
    public let savedStores: [String]

    /// The path of the store that could not commit, and those of the stores whose turn did not come.
    public let failedStores: [String]

    /// Why the first of these could not.
    public let reason: any Error

    public var description: String {
        "\(savedStores.joined(separator: ", ")) saved, \(failedStores.joined(separator: ", ")) not saved "
            + "(error \(Self.number)): \(reason); save again"
    }
}
