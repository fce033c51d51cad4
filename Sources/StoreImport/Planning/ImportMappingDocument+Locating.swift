public import ImportMappings

extension ImportMappingDocument {
    /// Returns the error with its place in the mapping; the error itself if it has no place.
    public func located(_ error: ImportPlanError) -> any Error {
        error.place.map { self.error(error.description, at: $0) } ?? error
    }
}
