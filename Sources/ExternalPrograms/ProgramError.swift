/// An error of an external program, as a sentence.
package struct ProgramError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// The operation was cancelled while waiting for a program.
package struct ProgramCancelled: Error {}
