import RecordSources

/// The source of an instance's value.
indirect enum CompiledOrigin {
    /// A field of the record.
    case field(Int)
    /// A path from the instance's own node, or from the root of the record.
    case path(RecordPath)
    case constant([UInt8])
    /// The first of several sources that has a value.
    case firstOf([CompiledOrigin])
    /// A text composed of others; NULL if all of its columns are NULL.
    case template([CompiledTemplatePart])
    /// A value that is computed from others.
    case computed(CompiledExpression)
}

enum CompiledTemplatePart {
    case literal([UInt8])
    case value(CompiledOrigin)
}
