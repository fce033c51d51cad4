/// A place in one of several source files.
struct SwiftPlace: Sendable, Hashable {
    /// The file's place in `SwiftDeclarations.files`.
    var file: Int

    /// Counted from 1.
    var line: Int

    /// In characters, counted from 1.
    var column: Int
}
