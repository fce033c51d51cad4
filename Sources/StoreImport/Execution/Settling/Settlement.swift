import PersistentStores
import SQLiteAccess

/// What is left to do when all records are read: the links that waited are written, and records that turn out to break a
/// rule, or to lack what they need, are taken back with all that depends on them.
///
/// Writing a link may take a record back, and taking a record back leaves links to be written again, until nothing changes
/// any more.
final class Settlement: SessionStage {
    /// Writes the links that waited, and takes back the records that may not stay.
    func settle() throws {
        try settleNeeds()
        linkStage.areWritten = true
        try writePendingLinks()
        try endLinks()
        try checkCounts()
        try rejectMatches()
        // What was taken back may have changed where links lead.
        if unproven?.hasFollowedLostLinks ?? false {
            try endLinks()
            try settleOwners()
        }
        try places.settle(without: taken)
    }

    /// Reports what was rejected, and which links lead nowhere, when all is settled.
    func report() throws {
        try keepNamersOfRefused()
        try writeTakenRecords()
        try writeAbsentLinks()
    }

    /// The object mapping whose objects have a link that waited.
    func object(of link: PendingLink) -> CompiledObject { sources[link.source].entities[link.object].object }

    /// The relationship of a link that waited.
    func relationship(of link: PendingLink) -> RelationshipImport {
        sources[link.source].entities[link.object].relationships[link.relationship]
    }
}
