/// The edits before or behind a step, which are validated together, as by one save.
struct EditSet {
    let edits: [StoreEdit]
    let version: VersionedModel

    /// The moment of `now()`, in seconds since 2001.
    let now: Double
    let invalidObjects: InvalidObjectPolicy
}
