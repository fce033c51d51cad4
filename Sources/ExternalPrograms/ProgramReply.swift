/// What a line of a program means for the dialog with it.
package enum ProgramReply {
    /// An answer; others follow.
    case more
    /// It takes several batches at once from here on.
    case otherPace
    /// All that the oldest batch asks is answered.
    case endOfBatch
}
