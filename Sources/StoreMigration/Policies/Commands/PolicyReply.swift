/// What a line of a policy's program means for the talk with it.
enum PolicyReply {
    /// An answer; others follow.
    case more
    /// It takes several batches at once from here on.
    case otherPace
    /// All records of the oldest batch are answered.
    case endOfBatch
}
