/// A unique index has refused a row: objects may be equal for a moment, or in the end.
struct UniquenessFailure: Error {}
