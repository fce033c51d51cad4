/// A location in one of several source files.
struct SwiftPlace: Sendable, Hashable {
    /// The index of the file in `SwiftDeclarations.files`.
    var file: Int

    /// The line, counted from 1.
    var line: Int

    /// The column in characters, counted from 1.
    var column: Int
}
