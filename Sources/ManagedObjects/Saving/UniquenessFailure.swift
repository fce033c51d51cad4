/// A unique index has refused a row: objects may be equal for a moment, or at the end.
struct UniquenessFailure: Error {}
