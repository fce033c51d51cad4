import RecordSources

/// Where a value of an instance comes from.
indirect enum CompiledOrigin {
    /// A field of the record.
    case field(Int)
    /// A path from the instance's own node, or from the record's root.
    case path(RecordPath)
    case constant([UInt8])
    /// The first of several that has a value.
    case firstOf([CompiledOrigin])
    /// A text made of others; NULL if no column of it has a value.
    case template([CompiledTemplatePart])
    /// A value computed from others.
    case computed(CompiledExpression)
}

enum CompiledTemplatePart {
    case literal([UInt8])
    case value(CompiledOrigin)
}
