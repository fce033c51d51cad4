import PersistentStores
import SQLiteAccess

/// The last stage of an import, when all records are read: the pending links are written, and records that break a rule
/// or lack what they require are revoked, with all that depends on them.
///
/// To revoke a record means to reject it after it has been written, and to undo its changes. Writing a link may revoke
/// a record, and revoking a record may leave links to be written again, so both are repeated until nothing changes.
final class Settlement: SessionStage {
    /// Writes the pending links, and revokes the records that must not stay.
    func settle() throws {
        try settleNeeds()
        linkStage.areWritten = true
        try writePendingLinks()
        try endLinks()
        try checkCounts()
        try rejectMatches()
        // Revoking records may have changed where links lead.
        if unproven?.hasFollowedLostLinks ?? false {
            try endLinks()
            try settleOwners()
        }
        try places.settle(without: taken)
        try settleEntities()
    }

    /// Reports the rejected records, and the links whose destinations do not exist, when everything is settled.
    func report() throws {
        try keepNamersOfRefused()
        try writeTakenRecords()
        try writeAbsentLinks()
    }

    /// Returns the mapping of the object that has a pending link.
    func object(of link: PendingLink) -> CompiledObject { sources[link.source].entities[link.object].object }

    /// Returns the relationship of a pending link.
    func relationship(of link: PendingLink) -> RelationshipImport {
        sources[link.source].entities[link.object].relationships[link.relationship]
    }
}
