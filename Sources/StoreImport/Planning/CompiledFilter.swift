/// A condition on the values of a record, or of a part of it.
indirect enum CompiledFilter {
    case isIn(CompiledOrigin, [[UInt8]])
    case isPresent(CompiledOrigin)
    case not(CompiledFilter)
    case all([CompiledFilter])
    case any([CompiledFilter])
}
