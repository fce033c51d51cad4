/// The sizes in which a program's answers are read.
package struct DialogLimits: Sendable {
    /// The number of bytes read from the pipe at a time.
    package var piece = 64 << 10
    /// The maximum length of a line, in bytes.
    package var line = 64 << 20

    package init() {}
}
