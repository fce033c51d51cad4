/// The entity `Person` of models for tests: persons have a boss, and a staff.
enum PersonModel {
    /// The entity with attributes and whatever else it has, as XML.
    static func entity(_ attributes: String, more: String = "") -> String {
        """
        <entity name="Person">\(attributes)
        <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="staff" \
        inverseEntity="Person"/>
        <relationship name="staff" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
        inverseEntity="Person"/>\(more)</entity>
        """
    }

    /// A name and an age.
    static let named = """
        <attribute name="name" attributeType="String"/>
        <attribute name="age" optional="YES" attributeType="Integer 16"/>
        """

    /// A number and a name.
    static let numbered = """
        <attribute name="num" optional="YES" attributeType="Integer 32"/>
        <attribute name="name" attributeType="String"/>
        """
}
