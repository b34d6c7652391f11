// SPDX-License-Identifier: MIT

import NBT
import NBTConstants
import Scenario
import SmartCard

/// Verbs of the chip's passwords.
///
/// Values, responses and master passwords are hidden in traces and reports.
let nbtPasswordVerbs: [Verb] = [createVerb, deleteVerb, changeVerb, unblockVerb]

/// What makes up a password, with its id.
let passwordArguments: [ArgumentSpec] = [
    ArgumentSpec(
        "response",
        .bytes(PasswordLimits.responseSize),
        "what a right password is answered with; 9A5C by default"
    ),
    ArgumentSpec(
        "tries",
        .number(0...65_535),
        "wrong values that block it, 1 to 127, or 65535 for no limit; 3 by default"
    ),
]

private let idArgument = ArgumentSpec("id", .number(1...31), isRequired: true, "id of the password")

extension VerbCall {
    /// The password that the arguments describe.
    func describedPassword(_ value: [UInt8], id: UInt8) throws(VerbStop) -> NBTPassword {
        let response = try bytes("response") ?? [0x9A, 0x5C]
        let tries = UInt16(truncatingIfNeeded: try number("tries") ?? 3)
        return try made(of: "response") { () throws(NBTError) in
            try NBTPassword(id: id, value: value, response: response, tries: tries)
        }
    }
}

private let createVerb = Verb(
    VerbSpec(
        "nbt.create-password",
        "Creates a password (CREATE PASSWORD).",
        discussion: """
            A rights byte of 80 + id in the access policy makes it count. On a real card the rig counts wrong values of each
            password over runs, and keeps the last try: the fault `guard`, unless the step says `allow: guard`.
            """,
        arguments: [
            idArgument, ArgumentSpec("password", .nbtPassword, isRequired: true, "its value"),
        ] + passwordArguments + [masterArgument]
    )
) { call in
    let id = try call.passwordID()
    guard let value = try call.password("password") else { throw call.wrong("password", "it is missing") }
    let password = try call.describedPassword(value, id: id)
    let master = try call.password("master")
    try call.sendOnly("id") { () throws(NBTError) in
        try NBTCommandBuilder.createPassword(password, masterPassword: master)
    }
}

private let deleteVerb = Verb(
    VerbSpec(
        "nbt.delete-password",
        "Deletes a password (DELETE PASSWORD).",
        discussion: """
            Destructive is the deletion of one that rules the policy's own file, or may do so (`master` is given and the
            case has not read the policy): on a real card it is sent only in a case tagged `destructive`, on an allowed
            sample.
            """,
        arguments: [idArgument, masterArgument],
        bare: "id"
    )
) { call in
    let id = try call.passwordID()
    let master = try call.password("master")
    try call.sendOnly("id") { () throws(NBTError) in
        try NBTCommandBuilder.deletePassword(id, masterPassword: master)
    }
}

private let changeVerb = Verb(
    VerbSpec(
        "nbt.change-password",
        "Gives a password a new value (CHANGE PASSWORD).",
        arguments: [
            idArgument, ArgumentSpec("password", .nbtPassword, isRequired: true, "the new value"),
            masterArgument,
        ]
    )
) { call in
    let id = try call.passwordID()
    guard let value = try call.password("password") else { throw call.wrong("password", "it is missing") }
    let master = try call.password("master")
    try call.sendOnly("id") { () throws(NBTError) in
        try NBTCommandBuilder.changePassword(id, to: value, masterPassword: master)
    }
}

private let unblockVerb = Verb(
    VerbSpec(
        "nbt.unblock-password",
        "Gives a password its tries back (UNBLOCK PASSWORD).",
        arguments: [idArgument, masterArgument],
        bare: "id"
    )
) { call in
    let id = try call.passwordID()
    let master = try call.password("master")
    try call.sendOnly("id") { () throws(NBTError) in
        try NBTCommandBuilder.unblockPassword(id, masterPassword: master)
    }
}
