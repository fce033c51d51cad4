/// How much of a program's answers is read at once.
package struct DialogLimits: Sendable {
    /// The bytes of one look into the pipe.
    package var piece = 64 << 10
    /// The longest line that is understood, in bytes.
    package var line = 64 << 20

    package init() {}
}
