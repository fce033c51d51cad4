/// The meaning of a program's line for the dialog.
package enum ProgramReply {
    /// An answer; others follow.
    case more
    /// The program accepts several batches at once from here on.
    case otherPace
    /// All requests of the oldest batch have been answered.
    case endOfBatch
}
