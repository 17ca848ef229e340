//! Why instructions or words do not make a packet.

/// Why instructions do not make a packet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PacketError {
    /// The packet is empty; write at least one instruction between the braces.
    #[error("the packet is empty; write at least one instruction between the braces")]
    Empty,
    /// `{0}` stands alone; put its weight load into the same packet: `{{activation...; weight...}}`.
    #[error(
        "`{0}` stands alone; put its weight load into the same packet: `{{activation...; weight...}}`"
    )]
    ActivationAlone(&'static str),
    /// `{0}` stands alone; put its activation load before it into the same packet: `{{activation...; weight...}}`.
    #[error(
        "`{0}` stands alone; put its activation load before it into the same packet: `{{activation...; weight...}}`"
    )]
    WeightAlone(&'static str),
    /// The weight load comes first; write the activation load before it.
    #[error("the weight load comes first; write the activation load before it")]
    WeightFirst,
    /// `{0}` must be alone in its packet; give it a packet of its own.
    #[error("`{0}` must be alone in its packet; give it a packet of its own")]
    NotAlone(&'static str),
    /// The packet holds more than one multiply; split it into packets of one activation and one weight load.
    #[error(
        "the packet holds more than one multiply; split it into packets of one activation and one weight load"
    )]
    TooMany,
}

/// Why words do not make an HMX packet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WordsError {
    /// Word {index}, {word:#010x}, is no HMX instruction; look it up with llvm-objdump.
    #[error("word {index}, {word:#010x}, is no HMX instruction; look it up with llvm-objdump")]
    NotHmx {
        /// Position in the packet, from 0.
        index: usize,
        /// The word.
        word: u32,
    },
    /// Word {index}, {word:#010x}, ends the packet, but more words follow; pass one packet at a time.
    #[error(
        "word {index}, {word:#010x}, ends the packet, but more words follow; pass one packet at a time"
    )]
    EndsEarly {
        /// Position in the packet, from 0.
        index: usize,
        /// The word.
        word: u32,
    },
    /// The last word, {0:#010x}, does not end the packet; pass the words up to and including the one with bits 15:14 = 11.
    #[error(
        "the last word, {0:#010x}, does not end the packet; pass the words up to and including the one with bits 15:14 = 11"
    )]
    NotEnded(u32),
    /// Word {0:#010x} ends a hardware loop; such a packet does more than HMX can say, keep loop ends out of HMX packets.
    #[error(
        "word {0:#010x} ends a hardware loop; such a packet does more than HMX can say, keep loop ends out of HMX packets"
    )]
    LoopEnd(u32),
    /// The words pair wrongly: {0}.
    #[error("the words pair wrongly: {0}")]
    Pairing(#[from] PacketError),
}
