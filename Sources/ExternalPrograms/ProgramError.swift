/// What an external program did that cannot be, in a sentence.
package struct ProgramError: Error, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Somebody ended the work while a program had the word.
package struct ProgramCancelled: Error {}
