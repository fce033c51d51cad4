extension ModelError {
    /// The number of Cocoa's error for the same situation; nil if there is none, as Cocoa never reads source models.
    public var cocoaCode: Int? {
        switch code {
        // NSMigrationMissingSourceModelError
        case .noVersions: 134_130
        // NSStagedMigrationModelReferenceNotFound...
        case .unknownVersion, .ambiguousVersion, .noCurrentVersion, .severalCurrentVersions: 134_504
        default: nil
        }
    }
}
