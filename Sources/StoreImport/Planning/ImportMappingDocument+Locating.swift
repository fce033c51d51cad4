public import ImportMappings

extension ImportMappingDocument {
    /// The error that points to the part of the mapping that cannot be followed; the error itself where it is about
    /// none.
    public func located(_ error: ImportPlanError) -> any Error {
        error.place.map { self.error(error.description, at: $0) } ?? error
    }
}
