/// The model of the benchmarks of three sizes: albums with songs in order, and people with teams, clubs,
/// bosses and friends.
enum GrowthModel {
    /// Writes the model.
    ///
    /// - Returns: its path.
    static func write(to workspace: Workspace) throws -> String {
        try workspace.write(contents, to: "Growth.xcdatamodel/contents")
        return workspace.file("Growth.xcdatamodel")
    }

    private static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Album">
                <attribute name="name" attributeType="String"/>
                <relationship name="songs" optional="YES" toMany="YES" ordered="YES" destinationEntity="Song" \
        inverseName="album" inverseEntity="Song"/>
            </entity>
            <entity name="Song">
                <attribute name="title" attributeType="String"/>
                <relationship name="album" optional="YES" maxCount="1" destinationEntity="Album" inverseName="songs" \
        inverseEntity="Album"/>
            </entity>
            <entity name="Team">
                <attribute name="code" attributeType="String"/>
                <relationship name="members" optional="YES" toMany="YES" destinationEntity="Person" inverseName="team" \
        inverseEntity="Person"/>
            </entity>
            <entity name="Club">
                <attribute name="code" attributeType="String"/>
                <relationship name="members" optional="YES" toMany="YES" maxCount="1000000000" \
        destinationEntity="Person" inverseName="club" inverseEntity="Person"/>
            </entity>
            <entity name="Person">
                <attribute name="name" attributeType="String"/>
                <attribute name="age" optional="YES" attributeType="Integer 16"/>
                <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" \
        inverseEntity="Team"/>
                <relationship name="club" optional="YES" maxCount="1" destinationEntity="Club" inverseName="members" \
        inverseEntity="Club"/>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="reports" \
        inverseEntity="Person"/>
                <relationship name="reports" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
        inverseEntity="Person"/>
                <relationship name="friends" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" \
        inverseName="fans" inverseEntity="Person"/>
                <relationship name="fans" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends" \
        inverseEntity="Person"/>
            </entity>
        </model>

        """
}
